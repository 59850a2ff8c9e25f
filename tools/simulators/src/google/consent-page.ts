interface Choice {
  value: string;
  title: string;
  detail: string;
}

/** Account chooser. Each link repeats the query with the chosen account. */
export function consentPage(choices: readonly Choice[], query: URLSearchParams): string {
  const rows = choices.map(({ value, title, detail }) => choice(query, 'choose', value, avatar(title) + words(title, detail)));
  const deny = choice(query, 'deny', '1', '<span class="deny">Cancel and go back</span>');
  return page('Choose an account', `<p>to continue to <b>Autoposter</b></p><ul>${rows.join('')}</ul>${deny}`);
}

/** Errors that Google displays instead of redirecting to the app. */
export function errorPage(code: string, text: string): string {
  return page('Access blocked', `<p>${escapeHtml(text)}</p><p class="code">Error 400: ${escapeHtml(code)}</p>`);
}

function choice(query: URLSearchParams, key: string, value: string, inner: string): string {
  const next = new URLSearchParams(query);
  next.set(key, value);
  return `<li><a href="?${escapeHtml(next.toString())}">${inner}</a></li>`;
}

function avatar(title: string): string {
  return `<span class="face" aria-hidden="true">${escapeHtml(title.slice(0, 1).toUpperCase())}</span>`;
}

function words(first: string, second: string): string {
  return `<span><b>${escapeHtml(first)}</b><small>${escapeHtml(second)}</small></span>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

function page(title: string, inner: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${title}</title><style>${STYLE}</style></head><body><main><p class="badge">Simulated sign-in</p><h1>${title}</h1>${inner}</main></body></html>`;
}

const STYLE = `
:root{color-scheme:light dark}
body{margin:0;min-height:100vh;display:grid;place-items:center;font:16px/1.5 system-ui,sans-serif;background:#eef1f6;color:#1f2430}
main{background:#fff;border-radius:20px;padding:36px 40px;width:min(440px,calc(100vw - 32px));box-sizing:border-box;box-shadow:0 8px 40px #1f243018}
h1{font-size:26px;font-weight:500;margin:4px 0}
p{margin:0 0 16px;color:#4b5364}
.badge{display:inline-block;font-size:12px;letter-spacing:.04em;background:#e3ecff;color:#2347a3;border-radius:99px;padding:2px 10px}
.code{font-family:ui-monospace,monospace;font-size:13px}
ul{list-style:none;margin:0 -12px 8px;padding:0}
li{list-style:none}
a{display:flex;gap:14px;align-items:center;padding:10px 12px;border-radius:12px;text-decoration:none;color:inherit}
a:hover,a:focus-visible{background:#f1f4fa;outline:none}
a:focus-visible{box-shadow:0 0 0 2px #2f6bff}
.face{width:40px;height:40px;border-radius:50%;display:grid;place-items:center;background:#3d5afe;color:#fff;font-weight:600;flex:none}
small{display:block;color:#5a6274}
.deny{color:#2347a3}
@media (prefers-color-scheme:dark){body{background:#12151c;color:#e8ebf2}main{background:#1b202b;box-shadow:none}p,small{color:#a7afc0}a:hover,a:focus-visible{background:#262d3b}.badge{background:#22325c;color:#b9ccff}.deny{color:#9db8ff}}
`;
