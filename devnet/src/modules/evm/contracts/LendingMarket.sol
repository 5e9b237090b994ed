// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

interface Token {
    function transfer(address to, uint256 amount) external returns (bool);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
}

/// Lends one token against the native coin at a fixed price, without interest. Half of a deposit's worth may be borrowed.
contract LendingMarket {
    event Supply(address indexed account, uint256 amount);
    event Deposit(address indexed account, uint256 amount);
    event Withdraw(address indexed account, uint256 amount);
    event Borrow(address indexed account, uint256 amount);
    event Repay(address indexed account, uint256 amount);

    error Undercollateralized(uint256 debt, uint256 limit);

    Token public immutable token;
    /// Base units of the token for 10^18 of the native coin.
    uint256 public immutable price;
    mapping(address => uint256) public supplied;
    mapping(address => uint256) public deposited;
    mapping(address => uint256) public debt;

    constructor(Token token_, uint256 price_) {
        token = token_;
        price = price_;
    }

    /// Puts tokens in, for others to borrow.
    function supply(uint256 amount) external {
        require(token.transferFrom(msg.sender, address(this), amount), "LendingMarket: TRANSFER_FAILED");
        supplied[msg.sender] += amount;
        emit Supply(msg.sender, amount);
    }

    /// Takes the native coin as collateral.
    function deposit() external payable {
        require(msg.value > 0, "LendingMarket: ZERO_DEPOSIT");
        deposited[msg.sender] += msg.value;
        emit Deposit(msg.sender, msg.value);
    }

    function withdraw(uint256 amount) external {
        require(amount <= deposited[msg.sender], "LendingMarket: INSUFFICIENT_DEPOSIT");
        deposited[msg.sender] -= amount;
        requireCollateral(msg.sender);
        emit Withdraw(msg.sender, amount);
        (bool sent, ) = msg.sender.call{value: amount}("");
        require(sent, "LendingMarket: TRANSFER_FAILED");
    }

    function borrow(uint256 amount) external {
        require(amount > 0, "LendingMarket: ZERO_BORROW");
        debt[msg.sender] += amount;
        requireCollateral(msg.sender);
        emit Borrow(msg.sender, amount);
        require(token.transfer(msg.sender, amount), "LendingMarket: TRANSFER_FAILED");
    }

    function repay(uint256 amount) external {
        require(amount > 0 && amount <= debt[msg.sender], "LendingMarket: EXCESS_REPAYMENT");
        require(token.transferFrom(msg.sender, address(this), amount), "LendingMarket: TRANSFER_FAILED");
        debt[msg.sender] -= amount;
        emit Repay(msg.sender, amount);
    }

    /// What an account may owe.
    function limitOf(address account) public view returns (uint256) {
        return (deposited[account] * price) / 1e18 / 2;
    }

    function requireCollateral(address account) private view {
        uint256 limit = limitOf(account);
        if (debt[account] > limit) revert Undercollateralized(debt[account], limit);
    }
}
