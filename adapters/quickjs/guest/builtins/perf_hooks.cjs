module.exports = { performance: globalThis.performance, PerformanceObserver: class {} }
