/** The executable of Mergeyard, for code that starts it as a separate process. */

import { fileURLToPath } from 'node:url'

export const executable = fileURLToPath(new URL('../cli/mergeyard.js', import.meta.url))
