/** What a webhook can tell of. */

const words = [
  'submitted',
  'queued',
  'testing',
  'pending_failure',
  'tests_passed',
  'failed',
  'canceled',
  'merged',
] as const
const queueWords = ['created', 'updated', 'deleted'] as const

/** What happened to a pull request. */
export type Word = (typeof words)[number]
export type QueueWord = (typeof queueWords)[number]
export type EventType =
  `pull_request.${Word}` | `pull_request_batch.${Exclude<Word, 'submitted'>}` | `queue.${QueueWord}`

export const eventTypes: readonly string[] = [
  ...words.map((word) => `pull_request.${word}`),
  // A batch is made of those in the queue: it is never submitted.
  ...words.filter((word) => word !== 'submitted').map((word) => `pull_request_batch.${word}`),
  ...queueWords.map((word) => `queue.${word}`),
]

export function isEventType(value: unknown): value is EventType {
  return eventTypes.some((type) => type === value)
}
