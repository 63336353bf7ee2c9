/** What coordinator and workers write into the queues of a campaign. */

/** A chunk of tasks, for any worker. */
export type ChunkOfTasks = {
  /** Its number in the campaign, from 0. */
  readonly place: number
  /** The name of the worker function. */
  readonly worker: string
  /** The tasks, packed. */
  readonly tasks: string
}

/** What a worker made of a chunk. */
export type ChunkAnswer = {
  readonly place: number
  /** The answers to the tasks, packed. */
  readonly answers: string
  /** The time that they took, in milliseconds. */
  readonly ms: number
}

/** The worker function threw, as it would have on the machine of the coordinator. */
export type ChunkFault = { readonly place: number; readonly fault: string }

/** A worker is there, and has so many threads. */
export type Hello = { readonly hello: string; readonly threads: number }

/**
 * What the coordinator hears. A chunk that three workers were given and none answered comes back as it
 * was handed out.
 */
export type Heard = ChunkAnswer | ChunkFault | Hello | ChunkOfTasks
