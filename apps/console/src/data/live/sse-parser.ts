/** One server-sent event. */
export interface ServerEvent {
  id: string | null;
  event: string;
  data: string;
}

/** Cuts a stream of text into server-sent events; holds back what is not complete yet. */
export function createSseParser(onEvent: (event: ServerEvent) => void): (chunk: string) => void {
  let rest = '';
  return (chunk) => {
    rest += chunk.replaceAll('\r\n', '\n').replaceAll('\r', '\n');
    const blocks = rest.split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = readBlock(block);
      if (event !== null) onEvent(event);
    }
  };
}

function readBlock(block: string): ServerEvent | null {
  const found: ServerEvent = { id: null, event: 'message', data: '' };
  const data: string[] = [];
  for (const line of block.split('\n')) {
    if (line.startsWith(':')) continue;
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /u, '');
    if (field === 'id') found.id = value;
    else if (field === 'event') found.event = value;
    else if (field === 'data') data.push(value);
  }
  if (data.length === 0 && found.id === null && found.event === 'message') return null;
  found.data = data.join('\n');
  return found;
}
