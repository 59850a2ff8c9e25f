import { plainTitle } from './plain-title';

test.each([
  ['\u202eevil live\u202c here', 'evil live here'],
  ['a\u2067b\u2069\nc\u0007', 'ab c'],
  ['  مرحبا بالعالم 🌊 ', 'مرحبا بالعالم 🌊'],
  ['<b>bold</b> & "quoted"', '<b>bold</b> & "quoted"'],
])('%j becomes %j', (text, title) => expect(plainTitle(text)).toBe(title));
