import { uuidOf } from '../world/ids.mts';
import type { World } from '../world/world.mts';
import { seedAgents } from './seedAgents.mts';
import { seedCalendars } from './seedCalendars.mts';
import { seedCalls } from './seedCalls.mts';
import { seedCampaigns } from './seedCampaigns.mts';
import { seedNumbers } from './seedNumbers.mts';
import { seedSipTrunks } from './seedSipTrunks.mts';
import { seedVoiceTemplates } from './seedVoiceTemplates.mts';

/** The ids of the seeded objects. They are the same at every start. */
export interface Seed {
	agents: { published: string; draft: string };
	campaigns: { draft: string; active: string; paused: string; completed: string; cancelled: string };
	voiceTemplate: string;
	phoneNumber: string;
	sipTrunk: string;
	calendar: string;
	calendarEvent: string;
	availabilityRule: string;
	user: string;
}

/** Adds the seeded objects to an empty world. */
export function seedWorld(world: World): Seed {
	const phoneNumber = seedNumbers(world);
	const voiceTemplate = seedVoiceTemplates(world);
	const { personal, ...agents } = seedAgents(world);
	const campaigns = seedCampaigns(world, agents.published, personal);
	seedCalls(world);
	const sipTrunk = seedSipTrunks(world);
	const user = uuidOf('user');
	const calendars = seedCalendars(world, user);
	// A number on each of the two shared do-not-call lists.
	world.doNotCall.environment.add('+12025550198');
	world.doNotCall.global.add('+12025550199');
	return { agents, campaigns, voiceTemplate, phoneNumber, sipTrunk, ...calendars, user };
}
