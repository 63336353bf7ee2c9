#!/usr/bin/env node
/** The entry of `npm run tune`. */

import { start } from '../../sim/command-line/start.ts'
import { main } from './main.ts'

await start(main)
