/** Puts known values of the same kind into a settings object; returns the names that it does not know or that do not fit. */
export function mergeSettings(settings: object, changes: Record<string, unknown>): string[] {
  const known = settings as Record<string, unknown>;
  const refused: string[] = [];
  for (const [name, value] of Object.entries(changes)) {
    if (name in known && fits(known[name], value)) known[name] = value;
    else refused.push(name);
  }
  return refused;
}

function fits(present: unknown, value: unknown): boolean {
  if (Array.isArray(present)) return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
  // What may be absent is a text.
  if (present === null || value === null) return value === null || typeof value === 'string';
  return typeof present === typeof value;
}
