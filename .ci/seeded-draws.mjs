/**
 * What fast-check draws in a test is the same in every run: a test never fails by chance. With
 * `MERGEYARD_DRAWS=2` all draw others.
 */

import { configureGlobal } from 'fast-check'

configureGlobal({ seed: Number(process.env['MERGEYARD_DRAWS'] ?? 1) })
