// Loaded before each service: when the launcher was killed, the service shuts down in an orderly way instead of running on unsupervised.
if (process.channel) {
  process.channel.unref();
  process.on('disconnect', () => {
    process.kill(process.pid, 'SIGTERM');
    setTimeout(() => process.exit(1), 30_000).unref();
  });
}
