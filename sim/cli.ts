#!/usr/bin/env node
/** The entry of `npm run sim`. */

import { main } from './command-line/main.ts'
import { start } from './command-line/start.ts'

await start(main)
