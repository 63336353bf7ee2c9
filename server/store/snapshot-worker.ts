/** Makes a snapshot in a thread of its own, so that no request waits for it. */

import { workerData } from 'node:worker_threads'
import { makeSnapshot, type SnapshotTask } from './snapshotter.ts'

const task: SnapshotTask = workerData
await makeSnapshot(task)
