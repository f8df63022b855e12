const { config } = internal
module.exports = {
  getHeapStatistics: () => {
    const { heapUsed, heapTotal } = process.memoryUsage()
    return { total_heap_size: heapTotal, used_heap_size: heapUsed, heap_size_limit: config.memoryBytes }
  },
  setFlagsFromString() {},
  startupSnapshot: { isBuildingSnapshot: () => false },
}
