/**
 * What piscina loads, by require(). It is CommonJS for one reason: a thread that is ended while require() links an ES
 * module ends the whole process (Node 20: `FATAL ERROR: v8::Module::IsGraphAsync`, by SIGABRT), as a stop right after the
 * start did once in about fifty on a busy machine. import() has no such moment. piscina waits for the promise.
 */
module.exports = { decode: import('./decode.ts').then((worker) => worker.decode) };
