export const mediaQuerySample = { expires: '1795255200', signature: 'abc', file: '0' };
