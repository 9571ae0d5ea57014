/** Where `withFittingGuide` was: imports of branches under way still lead here. */
export { withFittingGuide } from '../sim/guide';
