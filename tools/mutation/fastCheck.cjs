// fast-check that reports the first counterexample: Stryker only asks whether a test fails, not for the smallest one.
const fastCheck = require('../../node_modules/fast-check/lib/cjs/fast-check.js');

fastCheck.configureGlobal({ endOnFailure: true });

module.exports = fastCheck;
