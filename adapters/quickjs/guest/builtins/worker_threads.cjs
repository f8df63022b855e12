module.exports = { isMainThread: true, parentPort: null, workerData: null, threadId: 0 }
