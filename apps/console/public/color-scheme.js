// Sets the colour scheme before the first paint, so that nothing flashes. A file of its own, because inline scripts are not allowed.
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
