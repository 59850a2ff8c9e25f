/** The zone of this machine, as an IANA name. */
export const localZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** A zone as it is called right now, such as "UTC", "CET" or "GMT+5:45". */
export const shortZone = (zone: string, at: Date = new Date()): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeZoneName: 'short' }).formatToParts(at).find(({ type }) => type === 'timeZoneName')
    ?.value ?? zone;

/** All zones this browser knows, by name. */
export const allZones = (): readonly string[] => (typeof Intl.supportedValuesOf === 'function' ? Intl.supportedValuesOf('timeZone') : []);
