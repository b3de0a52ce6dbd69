/** The names and purposes of the seeded agents. */
export const AGENTS: Array<[name: string, label: string]> = [
	['Amelia', 'Sales, new enquiries'],
	['Benedikt', 'Appointment reminders'],
	['Carla', 'Customer satisfaction'],
	['Dmitri', 'Invoice follow-up'],
	['Elena', 'Sales, renewals'],
	['Farid', 'Event invitations'],
	['Grace', 'Reception'],
	['Hiroshi', 'Technical support'],
	['Ingrid', 'Delivery notices'],
	['Joaquim', 'Lead qualification'],
	['Katarina', 'Clinic reminders'],
	['Lorenzo', 'Restaurant bookings'],
	['Marisol', 'Subscription win-back'],
	['Nadia', 'Course enrolment'],
	['Oskar', 'Property viewings'],
	['Priya', 'Insurance quotes'],
	['Quentin', 'Warranty registration'],
	['Rosalind', 'Fundraising'],
	['Samuel', 'Fleet maintenance'],
	['Tamara', 'Job interviews'],
	['Umberto', 'Hotel feedback'],
	['Valentina', 'Recall notices'],
	['Wendell', 'Debt reminders'],
	['Ximena', 'Loyalty programme'],
	['Yusuf', 'Energy contracts'],
	['Zofia', 'Library notices'],
	['Anton', 'Night desk'],
	['Bianca', 'Travel changes'],
	['Cyril', 'Survey, public transport'],
	['Dorothea', 'Membership renewals'],
];

export const TOWNS = ['Berlin', 'Lisbon', 'Chicago', 'Toronto', 'Madrid', 'Lyon', 'Milan', 'Utrecht', 'Osaka', 'Porto'];

export const CAMPAIGN_THEMES: Array<[theme: string, type: 'sales' | 'follow_up' | 'reminder' | 'custom']> = [
	['Spring offer', 'sales'],
	['Appointment reminders', 'reminder'],
	['Invoice follow-up', 'follow_up'],
	['Satisfaction survey', 'custom'],
];
