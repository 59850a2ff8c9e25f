/** One value of one field. `says` are words that the refusal must contain. */
interface LimitCase {
  name: string;
  field: string;
  value: unknown;
  expected: 'accepted' | 'perhaps' | 'refused';
  says: readonly string[];
}

/** The used part of JSON Schema. */
export interface Schema {
  type?: string;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  pattern?: string;
  format?: string;
}

/** Hostile text for every field. */
export const HOSTILE: readonly string[] = [
  "'; DROP TABLE content_items; --",
  '" OR 1=1 /*',
  '<script>alert(1)</script>',
  '../../../../etc/passwd',
  '%00%2e%2e%2f',
  '${7*7}{{7*7}}#{7*7}',
  '\u202Eevil\u2066\u0301\u0301\u0301',
  '😀'.repeat(40),
  'a\u0000b',
  '\uD800',
  '__proto__',
  'null',
  '-1e309',
  '9'.repeat(400),
  ' \t\r\n ',
  '',
];

const branch = (schema: Schema): Schema => schema.anyOf?.find(({ type }) => type !== 'null') ?? schema;
const WRONG: Record<string, readonly unknown[]> = {
  string: [5, true, {}, []],
  integer: ['x', true, null, {}, 1.5],
  number: ['x', true, null, {}],
  boolean: ['yes', 1, null, []],
  array: ['x', 5, {}],
  object: ['x', 5, []],
};

/** Cases of all fields, nested ones with a dot; `asText` for queries, whose values are strings. */
export function limitCases(schema: Schema, asText: boolean, prefix = ''): LimitCase[] {
  const cases: LimitCase[] = [];
  for (const [name, given] of Object.entries(schema.properties ?? {})) {
    const field = `${prefix}${name}`;
    const of = branch(given);
    cases.push(...boundsOf(of, field, asText), ...wrongTypes(of, given, field, asText));
    if (schema.required?.includes(name) && !('default' in given)) {
      cases.push({ name: `${field} is missing`, field, value: undefined, expected: 'refused', says: [field] });
    }
    if (of.properties) cases.push(...limitCases(of, asText, `${field}.`));
  }
  return cases;
}

function boundsOf(schema: Schema, field: string, asText: boolean): LimitCase[] {
  const cases: LimitCase[] = [];
  const number = (value: number, inside: boolean, limit: number) =>
    cases.push({
      name: `${field} = ${value}`,
      field,
      value: asText ? String(value) : value,
      expected: inside ? 'accepted' : 'refused',
      says: [field, String(limit), String(value)],
    });
  const { minimum, maximum, minLength, maxLength, maxItems, pattern, format } = schema;
  if (minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER) {
    number(minimum, true, minimum);
    number(minimum - 1, false, minimum);
  }
  if (maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER) {
    number(maximum, true, maximum);
    number(maximum + 1, false, maximum);
  }
  const text = (length: number, inside: boolean) => {
    const understood = inside && pattern === undefined && format === undefined;
    const says = inside || length === 0 || pattern !== undefined || format !== undefined ? [field] : [field, String(length)];
    const value = 'x'.repeat(length);
    cases.push({ name: `${field} has ${length} characters`, field, value, expected: understood ? 'perhaps' : 'refused', says });
  };
  if (minLength !== undefined && minLength > 0) {
    text(minLength, true);
    if (!asText) text(minLength - 1, false);
  }
  if (maxLength !== undefined) {
    text(maxLength, true);
    text(maxLength + 1, false);
  }
  if (maxItems !== undefined && !asText) {
    const value = Array.from({ length: maxItems + 1 }, () => null);
    cases.push({ name: `${field} has ${maxItems + 1} entries`, field, value, expected: 'refused', says: [field] });
  }
  return cases;
}

function wrongTypes(schema: Schema, given: Schema, field: string, asText: boolean): LimitCase[] {
  const isNumber = schema.type === 'integer' || schema.type === 'number';
  const values =
    'enum' in schema || 'const' in schema ? ['no such word', ...(asText ? [] : [5, null, {}])] : (WRONG[schema.type ?? ''] ?? []);
  const nullable = given !== schema;
  return values
    .filter((value) => !(nullable && value === null))
    .filter((value) => !asText || (typeof value === 'string' && (isNumber || 'enum' in schema || 'const' in schema)))
    .map((value) => ({ name: `${field} = ${JSON.stringify(value)}`, field, value, expected: 'refused' as const, says: [field] }));
}

export function textFields(schema: Schema, prefix = ''): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, given]) => {
    const of = branch(given);
    if (of.properties) return textFields(of, `${prefix}${name}.`);
    return of.type === 'string' || 'enum' in of ? [`${prefix}${name}`] : [];
  });
}

/** A copy with one (nested) field set; `undefined` removes it. */
export function withField(object: object, field: string, value: unknown): Record<string, unknown> {
  const copy = structuredClone(object) as Record<string, unknown>;
  const names = field.split('.');
  let at = copy;
  for (const name of names.slice(0, -1)) at = (at[name] ??= {}) as Record<string, unknown>;
  const last = names[names.length - 1] ?? '';
  if (value === undefined) delete at[last];
  else Object.defineProperty(at, last, { value, enumerable: true, configurable: true, writable: true });
  return copy;
}
