// Lets jest run in this folder, too: it looks for a configuration beside the nearest package.json.
module.exports = require('../jest.config.cjs');
