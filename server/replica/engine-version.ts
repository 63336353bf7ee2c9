/**
 * The version of the engine's behaviour, kept by hand. It must be raised when the engine decides
 * differently for any commands, so that servers of both versions never append to one log in turns, and when entries say
 * what an older server does not read.
 * `bench/cluster/engine-version.test.ts` notices if that was forgotten.
 */

export const engineVersion = 39
