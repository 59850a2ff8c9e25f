type Json = Record<string, unknown>;

interface Parameter {
  name: string;
  in: string;
  required: boolean;
  description?: string;
  schema: Json;
}
interface Operation {
  tags: string[];
  summary: string;
  description: string;
  parameters: Parameter[];
  requestBody?: { content: Record<string, { schema: Json }> };
  responses: Record<string, { description: string; content?: Record<string, { schema?: Json }> }>;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: unknown): string => String(text).replace(/[&<>"']/gu, (sign) => ENTITIES[sign] ?? sign);

/** The OpenAPI document as one HTML page. */
export function openApiPage(document: Json): string {
  const { info, paths } = document as { info: { title: string; description: string }; paths: Record<string, Record<string, Operation>> };
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  const areas = [...new Set(calls.map(({ operation }) => operation.tags[0] ?? ''))];
  const sections = areas.map((area) => {
    const of = calls.filter(({ operation }) => operation.tags[0] === area);
    return `<section id="${escaped(area)}"><h2>${escaped(area)}</h2>${of.map(callOf).join('')}</section>`;
  });
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(info.title)} API</title><style>${PAGE_STYLE}</style></head><body>
<header><h1>${escaped(info.title)} API</h1><p>${escaped(info.description)}</p>
<p>${calls.length} operations. Machine-readable: <a href="/api/docs-json">the OpenAPI document</a>. Send the session token in the header
<code>Authorization: Bearer …</code>; every error has the shape <code>{success: false, error, message, requestId, code}</code>.</p>
<nav aria-label="Areas">${areas.map((area) => `<a href="#${escaped(area)}">${escaped(area)}</a>`).join(' ')}</nav></header>
<main>${sections.join('')}</main></body></html>`;
}

function callOf({ method, path, operation }: { method: string; path: string; operation: Operation }): string {
  const body = Object.values(operation.requestBody?.content ?? {})[0]?.schema;
  const answers = Object.entries(operation.responses).map(([status, { description, content }]) => {
    const [kind, shape] = Object.entries(content ?? {})[0] ?? [];
    const shown =
      shape?.schema === undefined || kind !== 'application/json' ? '' : `<pre>${escaped(JSON.stringify(shape.schema, null, 2))}</pre>`;
    return `<details><summary>${escaped(status)} ${escaped(description)}${kind ? ` <small>${escaped(kind)}</small>` : ''}</summary>${shown}</details>`;
  });
  return `<article><h3><b class="${method}">${method}</b> <code>${escaped(path)}</code></h3>
<p>${escaped(operation.summary)} <small>${escaped(operation.description)}</small></p>
${tableOf('Parameters', operation.parameters.map(parameterRow))}${body === undefined ? '' : tableOf('Body', fieldsOf(body))}${answers.join('')}</article>`;
}

const parameterRow = ({ name, in: place, required, description, schema }: Parameter): string =>
  rowOf(
    name,
    `${typeOf(schema)} <small>${escaped(place)}</small>`,
    required,
    [rulesOf(schema), description ?? ''].filter(Boolean).join('; '),
  );

function fieldsOf(schema: Json, prefix = ''): string[] {
  const { properties = {}, required = [] } = schema as { properties?: Record<string, Json>; required?: string[] };
  return Object.entries(properties).flatMap(([name, field]) => [
    rowOf(`${prefix}${name}`, typeOf(field), required.includes(name), rulesOf(field)),
    ...fieldsOf(field, `${prefix}${name}.`),
  ]);
}

const rowOf = (name: string, type: string, required: boolean, rules: string): string =>
  `<tr><td><code>${escaped(name)}</code></td><td>${type}</td><td>${required ? 'required' : 'optional'}</td><td>${escaped(rules)}</td></tr>`;

const tableOf = (title: string, rows: readonly string[]): string =>
  rows.length === 0
    ? ''
    : `<div class="wide" tabindex="0" role="region" aria-label="${title}"><table><caption>${title}</caption><thead><tr><th>Name</th><th>Type</th><th></th><th>Rules</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`;

function typeOf(schema: Json): string {
  const { type, anyOf, items } = schema as { type?: string | string[]; anyOf?: Json[]; items?: Json };
  if (anyOf) return anyOf.map(typeOf).join(' or ');
  if (type === 'array' && items) return `list of ${typeOf(items)}`;
  return escaped(Array.isArray(type) ? type.join(' or ') : (type ?? 'any'));
}

const RULES: Record<string, (value: unknown) => string> = {
  minimum: (value) => `at least ${String(value)}`,
  maximum: (value) => (value === Number.MAX_SAFE_INTEGER ? '' : `at most ${String(value)}`),
  minLength: (value) => `at least ${String(value)} characters`,
  maxLength: (value) => `at most ${String(value)} characters`,
  minItems: (value) => `at least ${String(value)} entries`,
  maxItems: (value) => `at most ${String(value)} entries`,
  format: (value) => String(value),
  const: (value) => `always ${JSON.stringify(value)}`,
  enum: (value) => `one of ${(value as unknown[]).join(', ')}`,
  default: (value) => `default ${JSON.stringify(value)}`,
};

const rulesOf = (schema: Json): string =>
  Object.entries(RULES)
    .filter(([name]) => name in schema)
    .map(([name, say]) => say(schema[name]))
    .filter(Boolean)
    .join(', ');

/** Supports widths from 320 pixels and both colour schemes. */
const PAGE_STYLE = `
:root{color-scheme:light dark;--line:color-mix(in srgb,currentColor 18%,transparent);--soft:color-mix(in srgb,currentColor 6%,transparent)}
*{box-sizing:border-box}body{margin:0 auto;max-width:72rem;padding:1.5rem 1rem 6rem;font:16px/1.55 system-ui,sans-serif;overflow-wrap:anywhere}
h1{margin:0;font-size:2rem;line-height:1.2}h2{margin:3rem 0 .5rem;text-transform:capitalize}h3{margin:0;font-size:1.05rem}p{margin:.5rem 0}
nav{display:flex;flex-wrap:wrap;gap:.25rem 1rem;padding:.75rem 0;border-bottom:1px solid var(--line)}
article{margin:.75rem 0;padding:.9rem 1rem;border:1px solid var(--line);border-radius:.6rem}article b{font-size:.85rem;letter-spacing:.04em}
.GET{color:light-dark(#0b5ea8,#7cc0ff)}.POST{color:light-dark(#12703a,#6fdc9a)}.PUT,.PATCH{color:light-dark(#8a5200,#ffc46b)}.DELETE{color:light-dark(#a8201a,#ff9d96)}
.wide{overflow-x:auto}table{width:100%;min-width:38rem;overflow-wrap:normal;border-collapse:collapse;font-size:.92rem}caption{padding:.6rem 0 .2rem;text-align:left;font-weight:600}
td:last-child{min-width:14rem}th,td{padding:.3rem .75rem .3rem 0;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
pre{max-height:26rem;padding:.75rem;overflow:auto;border-radius:.4rem;background:var(--soft);font-size:.85rem}summary{padding:.3rem 0;cursor:pointer}
a{color:light-dark(#0b5ea8,#7cc0ff)}:focus-visible{outline:2px solid;outline-offset:2px}`;
