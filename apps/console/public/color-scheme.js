// Sets the colour scheme before the first paint, to prevent a flash. The content security policy forbids inline scripts.
(function () {
  var mode;
  try {
    mode = localStorage.getItem('autoposter.color-mode') || 'system';
  } catch (error) {
    mode = 'system';
  }
  var dark = mode === 'dark' || (mode === 'system' && window.matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-scheme', dark ? 'dark' : 'light');
})();
