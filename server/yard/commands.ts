/** What can be told to a yard is what a recording may hold; the engine keeps the list of it. */

export type {
  CreateQueue,
  EngineCommand,
  Entry,
  LinkTicket,
  QueueSettings,
  RecordedCommand as YardCommand,
  RecordTestCases,
} from '../../engine/index.ts'
