// The ESLint that `n8n-node lint` starts. n8n's configuration knows nothing of .cache, where a whole n8n
// may lie, and lets warnings pass: the one is left out here, the others count as errors.
process.argv.push('--ignore-pattern', '.cache/', '--max-warnings', '0');
require('./node_modules/eslint/bin/eslint.js');
