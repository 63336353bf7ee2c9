#!/usr/bin/env node
/** The entry of `npm run compare`. */

import { main } from './compare.ts'
import { start } from '../../sim/command-line/start.ts'

await start(main)
