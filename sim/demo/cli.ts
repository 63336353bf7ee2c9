#!/usr/bin/env node
/** The entry of `npm start -- --demo <scenario>`. */

import { start } from '../command-line/start.ts'
import { main } from './main.ts'

// Whoever asks it to end is served like somebody at the keyboard.
process.once('SIGTERM', () => process.kill(process.pid, 'SIGINT'))
// It may come again, to the whole group and from whoever started this.
process.on('SIGTERM', () => undefined)
await start(main)
