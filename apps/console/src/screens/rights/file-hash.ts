const HEX = 16;

/** SHA-256 of a file as 64 hexadecimal digits. The file is read in this browser and sent nowhere. */
export async function fileHash(file: Blob): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
  return [...new Uint8Array(digest)].map((byte) => byte.toString(HEX).padStart(2, '0')).join('');
}

export const isHash = (text: string): boolean => /^[0-9a-f]{64}$/u.test(text);
