import { asString, type Finding, found, type Subject } from './finding';

/** Finds a `user_profile_id` that contradicts the profile the batch is attributed to (contract, Errors 4). */
export function* findUserProfile({ params, paramsPath, options: { userProfile } }: Subject): Iterable<Finding> {
  const profile = asString(params.user_profile_id);
  if (userProfile !== undefined && profile !== undefined && profile !== userProfile) {
    const text = "The connection's user profile is {0}. Remove this one, or use the same.";
    yield found('user-profile-conflict', [...paramsPath, 'user_profile_id'], text, [userProfile]);
  }
}
