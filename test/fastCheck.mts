import fc from 'fast-check';

/** Each run of a property has the same values, so that no test passes or fails by luck. Another seed has others. */
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.FAST_CHECK_SEED ?? 1) });

export default fc;
