/** How Reddit looks at a User-Agent: descriptive ones pass, defaults of libraries are throttled, dressed-up browsers are blocked. */
export function judgeUserAgent(userAgent: string | undefined): 'fine' | 'library' | 'browser' {
  const value = (userAgent ?? '').trim();
  if (value === '' || LIBRARIES.test(value)) return 'library';
  return /^Mozilla\//i.test(value) ? 'browser' : 'fine';
}

const LIBRARIES = /^(node|undici|node-fetch|axios|got|python-requests|python-urllib|curl|wget|okhttp|go-http-client|java)(\b|\/|$)/i;
