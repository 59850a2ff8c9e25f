// Loaded before each service: when the launcher is gone without having said so (killed), the service ends in its own orderly way
// instead of going on unseen.
if (process.channel) {
  process.channel.unref();
  process.on('disconnect', () => {
    process.kill(process.pid, 'SIGTERM');
    setTimeout(() => process.exit(1), 30_000).unref();
  });
}
