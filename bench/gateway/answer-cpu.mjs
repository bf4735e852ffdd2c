// Loaded before a server of the benchmark: answers its parent's question for the CPU time of this process, in microseconds, and its memory.
process.on('message', question => {
  if (question !== 'usage') return;
  const { user, system } = process.cpuUsage();
  process.send({ cpu: user + system, rss: process.memoryUsage.rss() });
});
