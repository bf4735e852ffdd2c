// Loaded before a server of the benchmark. It answers its parent: `cpu` with the CPU time of this process in microseconds, `heap` with the bytes
// that are still in use after a collection.
process.on('message', question => {
  if (question === 'cpu') {
    const { user, system } = process.cpuUsage();
    process.send(user + system);
  }
  if (question === 'heap') {
    globalThis.gc();
    process.send(process.memoryUsage().heapUsed);
  }
});
