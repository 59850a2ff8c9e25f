/** Hands a text to the reader as a file of that name. */
export function saveFile(name: string, text: string, type = 'text/plain'): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  // The browser takes the file up after the click; until then its address has to stand.
  setTimeout(() => URL.revokeObjectURL(link.href), 0);
}
