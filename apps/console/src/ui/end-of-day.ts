import { dayBounds } from '@autoposter/domain';
import { readPreferences } from '../preferences/preferences';
import { localZone } from './format';

/** The last moment of a day (`YYYY-MM-DD`) in the preferred time zone, as ISO text. */
export const endOfDay = (day: string): string =>
  new Date(dayBounds(day, readPreferences().timeZone ?? localZone()).until.getTime() - 1).toISOString();
