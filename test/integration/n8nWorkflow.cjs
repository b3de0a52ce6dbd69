/** n8n-workflow, as n8n's engine has loaded it: both nodes and n8n know an error by its class. */
module.exports = globalThis.harness.n8n;
