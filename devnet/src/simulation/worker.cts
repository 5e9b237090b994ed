/**
 * What piscina loads, by require(). It is CommonJS for one reason: a thread that is ended while require() links an ES
 * module ends the whole process (Node 20: `FATAL ERROR: v8::Module::IsGraphAsync`, by SIGABRT). import() is safe, and
 * piscina waits for the promise.
 */
module.exports = { simulate: import('./worker.ts').then((worker) => worker.simulate) };
