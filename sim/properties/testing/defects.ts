/** Engines with a defect, for the tests of properties. */

export {
  alteringEvents,
  engineWithRules,
  misreadQueue,
  withMisreadQueue,
  nothing,
} from '../../run/altered-engines.ts'
