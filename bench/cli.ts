#!/usr/bin/env node
/** The entry of `npm run bench`. */

import { start } from '../sim/command-line/start.ts'
import { main } from './command-line/main.ts'

await start(main)
