/** Verifies the older files of a data folder in a separate thread, and posts the faults. */

import { parentPort, workerData } from 'node:worker_threads'
import { dataFolder } from './data-folder.ts'
import { olderFaultsIn } from './verify.ts'

const path: string = workerData
parentPort?.postMessage(await olderFaultsIn(dataFolder(path)), [])
