//===- CheckNetPlist.h - What a description must satisfy --------*- C++ -*-===//
//
// The writer refuses what the reader would refuse, so both ask here.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_NETPLIST_CHECKNETPLIST_H
#define ANE_LIB_NETPLIST_CHECKNETPLIST_H

#include "ane/NetPlist/NetPlist.h"

namespace ane::netplist {

/// What is wrong, and the network, unit, constant or procedure it is about.
struct Problem {
  std::string message; ///< empty if nothing is
  std::string owner;   ///< the network of `name`, or empty
  std::string name;
};

Problem checkNetPlist(const NetPlist &description);

} // namespace ane::netplist

#endif // ANE_LIB_NETPLIST_CHECKNETPLIST_H
