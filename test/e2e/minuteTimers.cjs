'use strict';

// Loaded into n8n before its own code. n8n looks once a minute for executions whose wait is over; in the tests it looks
// twice a second. Where an n8n does so in another way, the tests only take longer.
const { setInterval } = globalThis;

globalThis.setInterval = (work, ms, ...args) => {
	const isWaitTracker = ms === 60_000 && String(new Error().stack).includes('wait-tracker');
	return setInterval(work, isWaitTracker ? 500 : ms, ...args);
};
