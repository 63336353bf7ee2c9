import type { WebhookEventType } from './event-types.ts'

/** What a message says, without its queue, time and number. */
export type NoticeContent = {
  readonly type: WebhookEventType
  /** The pull requests that the message is about; none for a message about the queue. */
  readonly numbers: readonly number[]
  readonly fields: Readonly<Record<string, string | number | boolean | readonly number[]>>
}

/** A notice with its number in its queue: from 1, without a gap. */
export type Notice = NoticeContent & { readonly sequence: number }
