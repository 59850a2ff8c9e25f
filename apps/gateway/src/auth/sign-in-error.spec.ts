import { maskedEmail } from './sign-in-error';

describe('a masked address', () => {
  it.each([
    ['somebody@example.com', 'so***y@example.com'],
    ['admin@example.com', 'ad***n@example.com'],
    ['anna@example.com', 'a***@example.com'],
    ['a@example.com', 'a***@example.com'],
    ['"odd@name"@example.com', '"o***"@example.com'],
    ['😀😀😀😀😀@example.com', '😀😀***😀@example.com'],
  ])('shows of %s its ends and its house', (email, masked) => {
    expect(maskedEmail(email)).toBe(masked);
  });
});
