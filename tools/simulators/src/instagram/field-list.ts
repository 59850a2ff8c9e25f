/** One field of a `fields` expression: `media.limit(5).after(abc){id,caption}`. */
export interface FieldNode {
  name: string;
  args: Readonly<Record<string, string>>;
  fields: FieldNode[];
}

/** Parses a `fields` expression; `null` when brackets do not match. */
export function parseFields(source: string): FieldNode[] | null {
  const reader = { source: source.trim(), at: 0 };
  const nodes = readList(reader);
  return nodes && reader.at === reader.source.length ? nodes : null;
}

interface Reader {
  source: string;
  at: number;
}

function readList(reader: Reader): FieldNode[] | null {
  const nodes: FieldNode[] = [];
  while (reader.at < reader.source.length && reader.source[reader.at] !== '}') {
    const node = readNode(reader);
    if (!node) return null;
    nodes.push(node);
    if (reader.source[reader.at] === ',') reader.at += 1;
    else if (reader.at < reader.source.length && reader.source[reader.at] !== '}') return null;
  }
  return nodes;
}

function readNode(reader: Reader): FieldNode | null {
  const name = take(reader, /\s*(\w+)\s*/y)?.[1];
  if (!name) return null;
  const args: Record<string, string> = {};
  for (let call = take(reader, /\.(\w+)\(([^)]*)\)\s*/y); call; call = take(reader, /\.(\w+)\(([^)]*)\)\s*/y)) {
    args[call[1] ?? ''] = (call[2] ?? '').trim();
  }
  if (reader.source[reader.at] !== '{') return { name, args, fields: [] };
  reader.at += 1;
  const fields = readList(reader);
  if (!fields || reader.source[reader.at] !== '}') return null;
  reader.at += 1;
  take(reader, /\s*/y);
  return { name, args, fields };
}

function take(reader: Reader, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = reader.at;
  const match = pattern.exec(reader.source);
  if (match) reader.at = pattern.lastIndex;
  return match;
}
