import { maskedEmail } from './sign-in.filter';

describe('maskedEmail', () => {
  it.each([
    ['reviewer@example.com', 're***r@example.com'],
    ['admin@example.com', 'ad***n@example.com'],
    ['anna@example.com', 'a***@example.com'],
    ['a@example.com', 'a***@example.com'],
    ['"odd@name"@example.com', '"o***"@example.com'],
    ['😀😀😀😀😀@example.com', '😀😀***😀@example.com'],
  ])('masks %s, keeping its first and last letters and the domain', (email, masked) => {
    expect(maskedEmail(email)).toBe(masked);
  });
});
