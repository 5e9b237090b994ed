/** What piscina loads, by require(): CommonJS for the reason that decode.cts gives. */
module.exports = { simulate: import('./simulate.ts').then((worker) => worker.simulate) };
